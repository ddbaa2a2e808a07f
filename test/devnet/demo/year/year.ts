// The story of the demo: the proposals of twelve months, in order.
import type { Entry } from '../story.ts'
import { AUTUMN, LIVE } from './autumn.ts'
import { SPRING } from './spring.ts'
import { SUMMER } from './summer.ts'
import { WINTER } from './winter.ts'

export const STORY: readonly Entry[] = [...WINTER, ...SPRING, ...SUMMER, ...AUTUMN, ...LIVE]
