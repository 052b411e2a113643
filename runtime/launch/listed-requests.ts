// The requests of kernels that were listed: one program may launch one kernel thousands of times, and its text takes long.
import type { LoadRequest } from "./load-request.js";

const listed = new WeakMap<object, Map<string, LoadRequest>>();

/** The request of a kernel of this owner with this key, made once. */
export function listedRequest(owner: object, key: string, make: () => LoadRequest): LoadRequest {
  const requests = listed.get(owner) ?? new Map<string, LoadRequest>();
  listed.set(owner, requests);
  const request = requests.get(key) ?? make();
  requests.set(key, request);
  return request;
}
