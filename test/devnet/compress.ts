// Compresses what the devnet records for the repository.
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

const compressAsync = promisify(brotliCompress)

/** The smallest unless a lower quality is given. */
export const compress = (
  bytes: Buffer,
  quality: number = constants.BROTLI_MAX_QUALITY,
): Promise<Buffer> =>
  compressAsync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })
