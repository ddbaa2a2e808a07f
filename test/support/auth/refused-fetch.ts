// The error of a document that is refused permanently, as for a URL that does not exist.
import { guardedFetch } from '../../../auth/issuers/guarded-fetch.ts'

export const refusedFetch = async (): Promise<Error> => {
  try {
    await guardedFetch('https://127.0.0.1/', { allowLoopback: false })
  } catch (error) {
    return error as Error
  }
  throw new Error('the document was fetched')
}
