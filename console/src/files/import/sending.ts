/** Uploads a file with XMLHttpRequest, because fetch cannot report upload progress. */

import { ConnectionFailed, LeadportError } from "@leadport/client";
import { userHeaders } from "../../api/index.ts";
import { dataPath, type Import } from "./import.ts";

export interface SendOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (sent_bytes: number) => void;
}

/**
 * Resolves with the finished import. Rejects with the client's errors, or with an AbortError if the
 * upload was stopped.
 */
export function sendFile(id: string, file: Blob, options: SendOptions): Promise<Import> {
  const { signal, onProgress } = options;
  const path = dataPath(id);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", path);
    const headers = { "content-type": "application/octet-stream", ...userHeaders() };
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", ({ loaded }) => onProgress?.(loaded));
    request.addEventListener("load", () => {
      const { status } = request;
      const body = parsed(request.responseText);
      if (status < 300) resolve(body as Import);
      else
        reject(
          new LeadportError({ status, method: "PUT", path, headers: headersOf(request), body }),
        );
    });
    request.addEventListener("error", () =>
      reject(new ConnectionFailed("PUT", path, new Error("the connection broke off"))),
    );
    request.addEventListener("abort", () => reject(new DOMException("stopped", "AbortError")));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    if (signal.aborted) reject(new DOMException("stopped", "AbortError"));
    else request.send(file);
  });
}

const headersOf = (request: XMLHttpRequest): Headers => {
  const headers = new Headers();
  for (const name of ["x-request-id", "retry-after"]) {
    const value = request.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  return headers;
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
