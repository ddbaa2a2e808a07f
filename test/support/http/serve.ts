// An HTTP server of one test.
import { onTestFinished } from 'vitest'
import { type Serve, startServer } from './server.ts'

/** Its URL, on a free local port until the test finishes. */
export const serve = async (answer: Serve): Promise<string> => {
  const { url, close } = await startServer(answer)
  onTestFinished(close)
  return url
}
