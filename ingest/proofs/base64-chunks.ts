// Splits long bytes into base64 parts. Each part fits into an event and can be decoded alone.

/** 512 KiB of base64. */
const MAX_CHUNK_BYTES = 384 * 2 ** 10

/** At least one part. */
export const base64Chunks = (bytes: Uint8Array): string[] => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = Math.max(1, Math.ceil(buffer.length / MAX_CHUNK_BYTES))
  return Array.from({ length: count }, (_, chunk) =>
    buffer.subarray(chunk * MAX_CHUNK_BYTES, (chunk + 1) * MAX_CHUNK_BYTES).toString('base64'),
  )
}
