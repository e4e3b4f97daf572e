/**
 * Words that confused readers of the first release, and what to write instead. Each is a regular
 * expression that is matched against whole words, regardless of case. `npm run check:prose` reports
 * where they occur.
 */

export const WORDS_TO_REPLACE: readonly (readonly [words: string, instead: string])[] = [
  ["anew", "again"],
  ["mend(s|ed|ing)?", "fix"],
  ["crosswise", "deadlock"],
  ["whoever|whom|somebody|nobody|everybody", "the noun: users, callers, clients; someone, no one"],
  ["those (who|that|whose)|he who", "the noun: matching records, callers without permission"],
  ["chores?", "maintenance"],
  ["deeds?", "action"],
  ["by itself", "automatically"],
  ["(is|are|was|were|be|been|being|get|gets) told", "notified"],
  ["tell(s|ing)? of|tells", "report, show, state, send"],
  ["of (its|their|his) own", "its own, separate, dedicated"],
  ["beside", "next to, in addition to, compared with"],
  ["(stand|stands|stood|standing) (in|beside|there|behind|next)", "is in, follows"],
  ["go(es)? on", "continue"],
  ["begun", "started"],
  ["resembl\\w+|likeness", "possible duplicate, similarity"],
  ["(is|are|be|gets?|as) (an? )?[45][0-9][0-9]", "returns 422, fails with 409"],
  ["promised", "queued, guaranteed"],
  ["whose turn|so many", "next in the queue; N"],
  ["unasked", "without a request"],
  ["what waits|what is left|left over", "pending, remaining"],
  ["hand(s|ed|ing)? (over|out)", "pass, share, return"],
  ["a look", "a check, a query"],
  ["answer(s|ed|ing)?", "response, respond with, return"],
  [
    "dear|dearer|dearest|reckon(s|ed)?|thrice|till|herein|therein|thereof|whereof|thereby",
    "a plainer word",
  ],
  ["asker(s)?", "client"],
  ["per cent", "percent"],
  ["e-mail(s|ed)?", "email"],
  ["look-up(s)?", "lookup"],
  [
    "colour(s|ed|ing)?|behaviour(s)?|favour\\w*|neighbour\\w*|honour\\w*",
    "American spelling: color",
  ],
  [
    "(recogni|normali|initiali|seriali|organi|authori|optimi|summari|minimi|utili|customi)s(e|es|ed|ing|ation|ations)",
    "American spelling: recognize",
  ],
  [
    "cancelled|cancelling|catalogue|centre|licence|grey|analyse[sd]?",
    "American spelling: canceled",
  ],
];
