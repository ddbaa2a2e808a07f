// The services of Rollcall by their names. A process loads the modules of its own service only.
import type { Service } from './service-process.ts'

export const SERVICES = {
  ingest: async () => (await import('./ingest.ts')).ingestService,
  projections: async () => (await import('./projections.ts')).projectionsService,
  api: async () => (await import('./api.ts')).apiService,
  auth: async () => (await import('./auth.ts')).authService,
  writer: async () => (await import('./writer.ts')).writerService,
  reader: async () => (await import('./reader.ts')).readerService,
} satisfies Record<string, () => Promise<Service>>

export type ServiceName = keyof typeof SERVICES

/** The option of a command that runs a service for another process. */
export const SUPERVISED = 'supervised'
