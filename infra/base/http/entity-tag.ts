// Entity tags of RFC 9110: whether the client already has the current response. Pure.

/** Compares `If-None-Match` with the entity tag of the response; weak comparison, as section 13.1.2 requires. */
export const hasAlready = (header: string | undefined, etag: string): boolean => {
  if (header === undefined) return false
  if (header === etag || header.trim() === '*') return true
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
