// Installs the checkers of test/tools once before all tests.
import { installCheckers } from '../support/suite/checkers.ts'

export async function setup(): Promise<void> {
  await installCheckers()
}
