// The name of every setting that some process of Rollcall reads.
import { SETTINGS } from '../../../infra/app/all-in-one.ts'
import { serviceSettings } from '../../../infra/app/services/service-process.ts'

export const settingNames = (): Set<string> =>
  new Set(
    [...SETTINGS.map(([, group]) => group), serviceSettings].flatMap((group) =>
      Object.values(group).map(({ name }) => name),
    ),
  )
