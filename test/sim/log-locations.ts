// The locations of the log of a simulated run. A location is text, so that a child process can receive it.
// Each kind of log has its own prefix before the colon.

import { join } from 'node:path'
import { openEmbeddedLog } from '../../infra/base/log/embedded-log.ts'
import type { EventLog } from '../../infra/base/log/event-log.ts'

export const toEmbeddedLocation = (path: string): string => `embedded:${path}`

/** The location of one seed's log below a directory. */
export const toLogLocation = (directory: string, seed: number): string =>
  toEmbeddedLocation(join(directory, String(seed), 'log'))

export const openLogAt = (
  location: string,
  options: { readOnly?: boolean } = {},
): Promise<EventLog> => {
  const [kind, ...rest] = location.split(':')
  switch (kind) {
    case 'embedded':
      return openEmbeddedLog({ path: rest.join(':'), ...options })
    default:
      throw new RangeError(`there is no simulated log of kind ${kind}`)
  }
}
