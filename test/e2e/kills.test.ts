// Kills every process of the started product, in turn and many times, while the chain grows. In the end it serves the facts of an
// undisturbed run. `KILL_ROUNDS=50` kills two hundred processes.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { openRecording } from '../../infra/app/demo/recording.ts'
import { TEST_RECORDING } from '../support/chain/test-recording.ts'
import { createDemoFolder } from '../support/process/demo-folder.ts'
import { readProcesses } from '../support/process/machine-processes.ts'
import { readFacts } from '../support/process/read-facts.ts'
import { type RollcallProcess, until } from '../support/process/rollcall-process.ts'

const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 2)
/** The supervisor is the last: the next one begins with short pauses again. */
const ROLES = ['writer', 'reader', 'engine', 'supervisor'] as const
const LONGEST_PAUSE_MS = 1_500
/** So that the chain grows until the last kill. */
const KILLED_BLOCK_MS = ROUNDS * 50
const UNDISTURBED_BLOCK_MS = 20
const CATCH_UP_MS = 240_000
const DEADLINE_MS = 600_000 + ROUNDS * 60_000

const { lastHeight } = openRecording(TEST_RECORDING).manifest

const readFactsAtEnd = async (rollcall: RollcallProcess): Promise<string[]> =>
  await readFacts(await rollcall.untilServing(CATCH_UP_MS), lastHeight)

const setup = async () => {
  const { run, clean } = await createDemoFolder()
  onTestFinished(clean)
  return (blockMs: number) => run({ env: { DEMO_BLOCK_MS: String(blockMs) } })
}

const findProcess = (rollcall: RollcallProcess, role: string): Promise<number> =>
  until(`a process of the ${role}`, 60_000, () => {
    return readProcesses(rollcall.processes()).find((each) => each.role === role)?.pid
  })

it(
  'loses nothing if any of its processes is killed at any time',
  async () => {
    const undisturbed = (await setup())(UNDISTURBED_BLOCK_MS)
    const expected = await readFactsAtEnd(undisturbed)
    undisturbed.signal('SIGTERM')
    await undisturbed.ended

    const start = await setup()
    let rollcall = start(KILLED_BLOCK_MS)
    let kills = 0
    for (let round = 0; round < ROUNDS; round++) {
      for (const role of ROLES) {
        await sleep((kills * 397) % LONGEST_PAUSE_MS)
        process.kill(await findProcess(rollcall, role), 'SIGKILL')
        kills++
        // The rest of the chain comes after the last kill.
        const blockMs = round === ROUNDS - 1 ? UNDISTURBED_BLOCK_MS : KILLED_BLOCK_MS
        if (role === 'supervisor') rollcall = start(blockMs)
      }
    }
    const facts = await readFactsAtEnd(rollcall)
    expect(facts.filter((fact) => !expected.includes(fact))).toEqual([])
    expect(facts).toEqual(expected)
    expect(rollcall.processes()).toHaveLength(ROLES.length)
  },
  DEADLINE_MS,
)
