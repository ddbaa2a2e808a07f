// `npm run test:devnet`: runs the devnet tests, or reports what the machine lacks to build a chain.
import { fileURLToPath } from 'node:url'
import { runStep } from '../support/process/run-step.ts'
import { checkRequirement } from '../support/suite/requirements.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DEADLINE_MS = 60 * 60_000
const PROJECTS = ['devnet', 'campaign', 'rules', 'provider'].map((name) => `--project=${name}`)

const isCi = /^(?:1|true)$/i.test(process.env['CI'] ?? '')
const problems = [checkRequirement('go'), checkRequirement('cc')].filter(
  (reason) => reason !== undefined,
)

if (problems.length > 0) {
  console.log(`not run: devnet (${problems.join('; ')})`)
  if (isCi) console.log('CI allows nothing to be left out')
  process.exitCode = isCi ? 1 : 0
} else {
  const ended = await runStep({
    command: `${ROOT}node_modules/.bin/vitest`,
    args: ['run', '--config', 'test/vitest.config.ts', ...PROJECTS],
    cwd: ROOT,
    deadlineMs: DEADLINE_MS,
  })
  if (!ended.ok) console.log(`✗ devnet: ${ended.reason}`)
  process.exitCode = ended.ok ? 0 : 1
}
