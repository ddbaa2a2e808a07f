// Builds, starts, plays and records one chain before all devnet tests, and stops it at the end.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type { TestProject } from 'vitest/node'
import { buildNode } from './build-node.ts'
import { type Devnet, startDevnet } from './chain.ts'
import { recordRun } from './recorder.ts'
import { playScenario } from './scenario.ts'

export type DevnetFixture = {
  rpcUrl: string
  restUrl: string
  firstHeight: number
  /** The last height of the plot; the chain itself continues. */
  lastHeight: number
  /** The plot's names and the chain's ids. */
  proposals: Record<string, string>
  recordingDir: string
}

declare module 'vitest' {
  interface ProvidedContext {
    devnet: DevnetFixture
  }
}

/** A low quality is fast; committed recordings use a better one. */
const FAST = 5
const progress = (line: string) => console.log(`${new Date().toISOString()} ${line}`)

let devnet: Devnet | undefined
let dir: string | undefined

export async function setup(project: TestProject): Promise<void> {
  const binary = await buildNode(progress)
  dir = await mkdtemp(`${tmpdir()}/rollcall-devnet-`)
  devnet = await startDevnet({ dir, binary })
  try {
    const played = await playScenario(devnet, { contractPath: binary.contractPath, progress })
    const recordingDir = `${dir}/recording`
    await recordRun(devnet.rpcUrl, played, { dir: recordingDir, progress, quality: FAST })
    project.provide('devnet', {
      rpcUrl: devnet.rpcUrl,
      restUrl: devnet.restUrl,
      firstHeight: played.firstHeight,
      lastHeight: played.lastHeight,
      proposals: Object.fromEntries([...played.proposals].map(([key, id]) => [key, String(id)])),
      recordingDir,
    })
  } catch (error) {
    await teardown()
    throw error
  }
}

export async function teardown(): Promise<void> {
  await devnet?.stop()
  if (dir) await rm(dir, { recursive: true, force: true })
}
