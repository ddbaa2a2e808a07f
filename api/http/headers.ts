// The header fields of all responses of the read API.
import { allowEveryOrigin, NO_SNIFF } from '../../infra/base/http/headers.ts'

export const READ_HEADERS = {
  vary: 'Accept, Accept-Encoding, Authorization',
  ...NO_SNIFF,
} as const

/** Public data: any origin may read it. */
export const READ_CORS = allowEveryOrigin({
  allowed: ['If-None-Match', 'If-Range', 'Last-Event-ID', 'Range'],
})
