// Where a service of its own finds the log of agents and the keys: in the data directory that it shares with the others.
import { existsSync } from 'node:fs'
import { authPathsIn } from '../data-dir.ts'
import { openEmbeddedLog } from '../log/embedded-log.ts'
import { machineSettings } from '../supervisor/settings.ts'

const { dataDir } = machineSettings
export const agentsSettings = { dataDir }

export const openAgents = async (settings: { dataDir: string }) => {
  const { agentsLogPath, keysPath } = authPathsIn(settings.dataDir)
  return { log: await openEmbeddedLog({ path: agentsLogPath, shared: true }), keysPath }
}

/** For a process that checks tokens and gives out none; undefined where no log of agents is here to follow. */
export const openAgentsForReading = async (settings: { dataDir: string }) => {
  const { agentsLogPath, keysPath } = authPathsIn(settings.dataDir)
  if (!existsSync(agentsLogPath)) return undefined
  return { log: await openEmbeddedLog({ path: agentsLogPath, readOnly: true }), keysPath }
}
