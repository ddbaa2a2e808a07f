// The header fields of all responses of the read API.
import { allowEveryOrigin, NO_SNIFF } from '../../infra/base/http/headers.ts'

export const READ_HEADERS = {
  vary: 'Accept, Accept-Encoding, Authorization',
  ...NO_SNIFF,
} as const

/** Public data: any origin may read it. */
export const READ_CORS = allowEveryOrigin({
  exposed: [
    'Accept-Ranges',
    'Content-Disposition',
    'Content-Range',
    'ETag',
    'Link',
    'Location',
    'Rollcall-As-Of-Height',
    'Rollcall-As-Of-Time',
    'Rollcall-Chain-Id',
    'Rollcall-Demo',
    'Rollcall-Next-Cursor',
    'Rollcall-Total-Items',
  ],
  allowed: ['If-None-Match', 'If-Range', 'Last-Event-ID', 'Range'],
})
