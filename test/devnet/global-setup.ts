// Says what the machine lacks before a chain node is built.
import { checkRequirement } from '../support/suite/requirements.ts'

export function setup(): void {
  const problems = (['go', 'cc'] as const).map(checkRequirement).filter(Boolean)
  if (problems.length > 0)
    throw new Error(`this machine cannot run a chain: ${problems.join('; ')}`)
}
