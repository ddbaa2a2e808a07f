// The name of every setting that some process of Rollcall reads.
import { SETTINGS } from '../../../infra/app/settings.ts'

export const settingNames = (): Set<string> =>
  new Set(SETTINGS.flatMap(({ settings }) => settings.map(({ env }) => env)))
