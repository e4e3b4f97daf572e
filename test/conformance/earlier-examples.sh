#### docs/batch-and-upsert.md

crm() { curl -sS -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' "$@"; echo; }

crm -X PUT "$LEADPORT/crm/leads/by/email/mara.lind@example.com" -i -d '{"name": "Mara Lind", "source": "Google"}'

crm -X PUT "$LEADPORT/crm/leads/by/email/Mara.Lind@example.com" -i -d '{"status": "contacted"}'

crm "$LEADPORT/crm/leads?on_duplicate=reject" -d '{"name": "M. Lind", "email": "MARA.LIND@example.com"}'

crm -X PATCH "$LEADPORT/crm/admin/tenant" -d '{"on_duplicate": "update"}'

crm "$LEADPORT/crm/leads/batch?on_duplicate=return" -d '{"items": [
  {"name": "Ivo Brandt", "email": "ivo@example.com", "external_id": "form 17"},
  {"status": "warm"},
  {"name": "Another", "external_id": "form 17"},
  {"name": "Mara Lind", "email": "mara.lind@example.com"}]}'

crm "$LEADPORT/crm/leads/batch" -d '{"atomic": true, "items": [{"name": "Kept out"}, {"name": 5}]}'

#### docs/changes.md

curl -N -H "Authorization: Bearer $TOKEN" "$LEADPORT/crm/changes/stream?since=now"

#### docs/duplicates.md

crm $LEADPORT/crm/leads/$ID/duplicates

crm -i $LEADPORT/crm/leads/$ID/merge -d '{"ids": ["6b00a6c16bd5e0002bde0520"]}'

crm $LEADPORT/crm/leads/$ID/merges
crm -X POST $LEADPORT/crm/leads/$ID/merges/6b00a6d01f2e300051b7c9aa/undo

#### docs/event-webhooks.md

crm -X POST $LEADPORT/crm/webhooks -d '{
  "url": "https://hooks.example.com/leadport",
  "events": ["lead.created", "lead.status_changed", "deal.*"],
  "description": "The data warehouse"}'

crm -X POST $LEADPORT/crm/webhooks -d '{"url": "https://hooks.example.com/won", "events": ["deal.stage_changed"],
  "filter": {"stage": "closed_won", "value_of_sale": {"$gte": 10000}}}'

crm -X POST $LEADPORT/crm/webhooks/$ID/replay -d '{"start_date": "2026-11-20T00:00:00Z", "end_date": "2026-11-21T06:00:00Z"}'

#### docs/filters.md

curl -G "$BASE/crm/leads" -H "Authorization: Bearer $TOKEN" \
  --data-urlencode 'match_filter_dict={"lead_status": {"$in": ["open", "assigned"]}, "tags": "vip"}'

curl -G "$BASE/crm/contacts" -H "Authorization: Bearer $TOKEN" \
  --data-urlencode 'match_filter_dict={"$or": [{"email_list": "Ann@Example.com"}, {"phone_list": "(555) 555-5555"}]}'

curl -G "$BASE/crm/leads" -H "Authorization: Bearer $TOKEN" \
  --data-urlencode 'eval_object_id=true' \
  --data-urlencode "match_filter_dict={\"_id\": {\"\$in\": [ObjectId('65f0c0ffee65f0c0ffee0001')]}}"

#### docs/own-systems.md

crm -X PUT $LEADPORT/crm/admin/import_webhook -H 'Content-Type: application/json' -d '{
  "enabled": true,
  "url": "https://hooks.example.com/leads",
  "headers": {"X-Api-Key": "s3cret"},
  "body_template": "{\"lead\": {\"ref\": \"{{id}}\", \"name\": \"{{name}}\", \"email\": {{email}}}}"}'

crm -X PUT $LEADPORT/crm/admin/duplicate_check -H 'Content-Type: application/json' -d '{
  "enabled": true, "url": "https://crm.example.com/known",
  "body_template": "{\"mail\": {{email}}, \"tel\": {{phone}}}",
  "exists_pointer": "/hits", "name_pointer": "/hits/0/name", "active_pointer": "/hits/0/recent",
  "timeout_s": 3, "on_error": "own_records"}'

#### docs/partner-exchange.md

LEADPORT=http://127.0.0.1:8080
PARTNER_ID=6b014d2609640000abc112ed
ACCESS_CODE=iyZrCindRGshpaAX7HuCRrvOjFrcI1o4P4oGUh8u

curl -sS $LEADPORT/crm/partner/token -H 'Content-Type: application/json' \
  -d "{\"partner_id\": \"$PARTNER_ID\", \"access_code\": \"$ACCESS_CODE\"}"

PARTNER_TOKEN=eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ0ZW5hbnQi…
partner() { curl -sS -H "Authorization: Partner $PARTNER_TOKEN" -H 'Content-Type: application/json' "$@"; echo; }
partner $LEADPORT/crm/partner/me

partner $LEADPORT/crm/partner/lookup -d '{"email": "ines.falk@example.com", "phone": "(212) 555-0143"}'

partner $LEADPORT/crm/partner/push -d '{
  "name": "Ines Falk", "email": "ines.falk@example.com", "phone": "(212) 555-0143", "source": "Referral",
  "comments": "Met at the boat show", "description": "Wants to berth two boats",
  "match_preferences": {"berths": 2}, "expiration_date": "2026-12-24"}'

partner $LEADPORT/crm/partner/push -d '{"name": "I. Falk", "phone": "+1 212 555 0143"}'

partner $LEADPORT/crm/partner/push -d '{
  "name": "Nobody", "source": "Yelp", "expiration_date": "2020-01-01", "colour": "blue"}'

partner "$LEADPORT/crm/partner/pushed?status=pending&page_size=10"
partner $LEADPORT/crm/partner/pushed/6b014d26302e70008fa35827

partner -G $LEADPORT/crm/partner/leads -d page_size=1 --data-urlencode 'match_filter_dict={"lead_status": "assigned"}'
partner $LEADPORT/crm/partner/contacts

partner $LEADPORT/crm/partner/analytics

crm() { curl -sS -H "Authorization: Bearer $(cat data/owner-token)" -H 'Content-Type: application/json' "$@"; echo; }

crm $LEADPORT/crm/admin/partners -d '{
  "name": "Harbour Referrals", "allowed_marketing_sources": ["Referral", "Linkedin"], "commission_rate": 7.5}'

crm -X POST $LEADPORT/crm/admin/partners/$PARTNER_ID/access_code
crm -X PATCH $LEADPORT/crm/admin/partners/$PARTNER_ID -d '{"status": "suspended"}'
crm -X PATCH $LEADPORT/crm/admin/partners/$PARTNER_ID -d '{"ip_allow_list": ["192.0.2.0/24", "2001:db8::7"]}'

REVIEW=$LEADPORT/crm/admin/pushed_leads
crm "$REVIEW?status=pending&page_size=50"
crm $REVIEW/6b014d2640cce000027677d2

crm -X POST $REVIEW/6b014d26302e70008fa35827/accept
crm $REVIEW/6b014d2640cce000027677d2/reject -d '{"reason": "Ines came through somebody else"}'
crm -X POST $REVIEW/6b014d26302e70008fa35827/import

crm $REVIEW/batch -d '{"action": "accept", "ids": ["6b014d26d896f000fc1b5302", "6b014d2640cce000027677d2"]}'

curl -N -H "Authorization: Bearer $TOKEN" $REVIEW/stream

crm $LEADPORT/crm/admin/analytics
crm "$LEADPORT/crm/admin/analytics?partner_id=$PARTNER_ID&start_date=2026-11-01"

crm "$LEADPORT/crm/admin/audit?subject_type=pushed_lead&subject_id=6b014d26302e70008fa35827"
crm "$LEADPORT/crm/admin/audit?subject_type=partner"

#### docs/people.md

npm run -s leadport -- person create --tenant default --name "Ada Example" --email ada@example.com --role owner

curl -s -X POST "$LEADPORT/crm/admin/people" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \
  -d '{"name": "Bob Example", "email": "bob@example.com", "role": "agent"}'

#### docs/rate-limits.md

curl -s -X PATCH "$LEADPORT/crm/admin/access_tokens/<id>" -H "Authorization: Bearer $TOKEN" \
  -H 'Content-Type: application/json' -d '{"rate_limit": 20000}'
curl -s -X PATCH "$LEADPORT/crm/admin/partners/<id>" -H "Authorization: Bearer $TOKEN" \
  -H 'Content-Type: application/json' -d '{"rate_limit": 0}'

#### docs/safe-writes.md

create() {
  curl -si -X POST "$LEADPORT/crm/leads" -H "Authorization: Bearer $TOKEN" \
    -H 'Content-Type: application/json' -H "Idempotency-Key: $1" -d "$2"
}
create order-1017 '{"name": "Ada Example"}'

create order-1017 '{"name": "Ada Example"}'

create order-1017 '{"name": "Eve Example"}'

ID=$(create order-1017 '{"name": "Ada Example"}' | sed -n 's/.*"_id":"\([^"]*\)".*/\1/p')
curl -si "$LEADPORT/crm/leads/$ID" -H "Authorization: Bearer $TOKEN" -H 'If-None-Match: "v1"'

change() {
  curl -si -X PATCH "$LEADPORT/crm/leads/$ID" -H "Authorization: Bearer $TOKEN" \
    -H 'Content-Type: application/json' -H "If-Match: $1" -d "$2"
}
change '"v1"' '{"status": "contacted"}'

change '"v1"' '{"status": "disqualified", "comments": "No answer"}'

#### docs/summaries.md

crm -G $LEADPORT/crm/leads/summary -d group_by=lead_source -d interval=month -d start_date=2026-01-01
crm -G $LEADPORT/crm/deals/summary -d group_by=stage -d sum=value_of_sale
crm -G $LEADPORT/crm/deals/summary -d on=close_date -d interval=month -d sum=value_of_sale \
  --data-urlencode 'match_filter_dict={"stage": "closed_won"}'

#### docs/tokens.md

curl -s -X POST "$LEADPORT/crm/admin/access_tokens" -H "Authorization: Bearer $TOKEN" \
  -H 'Content-Type: application/json' -d '{
    "name": "Website form", "permissions": ["records:write"],
    "expires_at": "2027-01-01", "ip_allow_list": ["192.0.2.0/24", "2001:db8::/32"]}'
curl -s "$LEADPORT/crm/admin/access_tokens" -H "Authorization: Bearer $TOKEN"
curl -s -X DELETE "$LEADPORT/crm/admin/access_tokens/<id>" -H "Authorization: Bearer $TOKEN"

#### docs/tour.md

LEADPORT=http://127.0.0.1:8080
leadport() { npm run -s leadport -- "$@"; }
json='Content-Type: application/json'
crm() { curl -sS -H "$json" -H "Authorization: Bearer $(cat data/owner-token)" "$@"; echo; }
pick() { sed -E "s/.*\"$1\":\"([^\"]*)\".*/\1/"; }      # a text out of an answer

crm $LEADPORT/crm/leads -d '{
  "name": "Mara Lind", "email": "mara.lind@example.com", "phone": "(212) 555-0110", "source": "Google"}'

leadport import leads examples/leads-web-form.csv

leadport import accounts examples/accounts-utf-16.csv
leadport import deals examples/deals-without-names.csv \
  --set 'name={account} – {product}' --default-account 'Nordlys AS'

crm -G $LEADPORT/crm/leads --data-urlencode 'sort_dict={"name": 1}' -d page_size=10 --data-urlencode \
  'match_filter_dict={"lead_source": {"$in": ["Google", "Referral"]}, "name": {"$regex": "^m", "$options": "i"}}'
crm $LEADPORT/crm/leads/created                       # the last 4 hours
crm "$LEADPORT/crm/deals/updated?start_date=2026-11-01"

ID=$(crm "$LEADPORT/crm/leads?page_size=1" | pick _id)
crm -X PATCH $LEADPORT/crm/leads/$ID -d '{"status": "contacted"}'
crm $LEADPORT/crm/leads/$ID/history
crm -X POST $LEADPORT/crm/leads/$ID/convert -d '{
  "account": {"name": "Lind & Sons"}, "deal": {"name": "First order", "value_of_sale": 1200}}'

MADE=$(crm $LEADPORT/crm/admin/partners -d '{
  "name": "Harbour Referrals", "allowed_marketing_sources": ["Referral"], "commission_rate": 7.5}')
CODE='{"partner_id": "'$(echo "$MADE" | pick partner_id)'", "access_code": "'$(echo "$MADE" | pick access_code)'"}'
PARTNER_TOKEN=$(curl -sS -H "$json" $LEADPORT/crm/partner/token -d "$CODE" | pick access_token)
partner() { curl -sS -H "$json" -H "Authorization: Partner $PARTNER_TOKEN" "$@"; echo; }

partner $LEADPORT/crm/partner/lookup -d '{"email": "ines.falk@example.com"}'
PUSHED=$(partner $LEADPORT/crm/partner/push -d '{"name": "Ines Falk", "email": "ines.falk@example.com"}' | pick id)
crm -X POST $LEADPORT/crm/admin/pushed_leads/$PUSHED/accept
LEAD=$(crm -X POST $LEADPORT/crm/admin/pushed_leads/$PUSHED/import | pick imported_lead_id)
crm $LEADPORT/crm/leads/$LEAD/convert -d '{"deal": {"name": "A berth", "value_of_sale": 1200, "stage": "closed_won"}}'
partner $LEADPORT/crm/partner/analytics

crm $LEADPORT/crm/leads -d '{"status": "warm"}'
