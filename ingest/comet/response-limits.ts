// The limits of what an endpoint may send, by method. A larger response is a fault of the endpoint.

const KIB = 2 ** 10

/** A header notice has about 2 KiB. */
export const MAX_NOTICE_BYTES = 64 * KIB
