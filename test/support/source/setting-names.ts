// The name of every setting that some process of Rollcall reads.

import { serviceSettings } from '../../../infra/app/services/service-process.ts'
import { SETTINGS } from '../../../infra/app/settings.ts'

export const settingNames = (): Set<string> =>
  new Set(
    [...SETTINGS.map(([, group]) => group), serviceSettings].flatMap((group) =>
      Object.values(group).map(({ name }) => name),
    ),
  )
