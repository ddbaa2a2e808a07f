// One member of a consumer group of the classic protocol, whose partition stands for leadership: it fetches nothing.
// Each call is told apart: joined, still a member, or out; a connection on which one failed is given up.
import type { Logger } from '../runtime/logger.ts'
import { withDeadline } from '../runtime/retry.ts'
import {
  connectKafka,
  type KafkaCluster,
  MemberAssignment,
  MemberMetadata,
} from './kafka-client.ts'
import { logError } from './kafka-errors.ts'
import type { KafkaConfig } from './kafka-settings.ts'

export type Membership = 'owner' | 'other' | 'expelled'

export type GroupMember = {
  /** `leads`: this member owned the partition before, and still acts so. Waits for the other members. */
  join(leads: boolean): Promise<Membership>
  heartbeat(): Promise<'stable' | 'rebalancing' | 'expelled'>
  /** When the last request was sent that the group answered: from then on it waits for the next. */
  confirmedMs(): number
  leave(): Promise<void>
}

export type GroupOptions = {
  config: KafkaConfig
  groupId: string
  topic: string
  logger: Logger
  signal: AbortSignal
}

/** The least that brokers allow by default; a member that is silent for so long is out. */
export const SESSION_MS = 6_000
const REBALANCE_MS = 10_000
const JOIN_MS = REBALANCE_MS + 5_000
const CALL_MS = 2_000
const CONNECT_MS = 10_000
const PARTITION = 0
const PROTOCOL = 'rollcall-leader'
const VERSION = 1

type Joined = {
  generationId: number
  leaderId: string
  memberId: string
  members: { memberId: string; memberMetadata: Buffer }[]
}
type Member = { groupId: string; memberId: string }
type Generation = Member & { generationId: number }

/** What the library's brokers can, but its types leave out. */
type Coordinator = {
  joinGroup(request: {
    groupId: string
    memberId: string
    sessionTimeout: number
    rebalanceTimeout: number
    groupProtocols: { name: string; metadata: Buffer }[]
  }): Promise<Joined>
  syncGroup(
    request: Generation & { groupAssignment: { memberId: string; memberAssignment: Buffer }[] },
  ): Promise<{ memberAssignment: Buffer }>
  heartbeat(request: Member & { groupGenerationId: number }): Promise<unknown>
  leaveGroup(request: Member): Promise<unknown>
}

type Claim = { leads: boolean }

const typeOf = (error: unknown): unknown => (error as { type?: unknown } | undefined)?.type
const isOut = (error: unknown): boolean =>
  typeOf(error) === 'UNKNOWN_MEMBER_ID' || typeOf(error) === 'ILLEGAL_GENERATION'
const isRebalancing = (error: unknown): boolean => typeOf(error) === 'REBALANCE_IN_PROGRESS'

const claimOf = (metadata: Buffer): Claim => {
  const { userData } = MemberMetadata.decode(metadata) ?? {}
  return { leads: userData?.toString() === 'leads' }
}

/** Who leads goes on leading, so that a process that joins disturbs nobody. Pure. */
export const chooseOwner = (members: readonly { memberId: string; leads: boolean }[]): string => {
  const sorted = [...members].sort((a, b) => (a.memberId < b.memberId ? -1 : 1))
  return (sorted.find(({ leads }) => leads) ?? sorted[0])?.memberId ?? ''
}

const assignmentsOf = ({ members }: Joined, topic: string) => {
  const owner = chooseOwner(
    members.map(({ memberId, memberMetadata }) => ({ memberId, ...claimOf(memberMetadata) })),
  )
  return members.map(({ memberId }) => ({
    memberId,
    memberAssignment: MemberAssignment.encode({
      version: VERSION,
      assignment: memberId === owner ? { [topic]: [PARTITION] } : {},
      userData: Buffer.alloc(0),
    }),
  }))
}

const isAssigned = (bytes: Buffer, topic: string): boolean =>
  MemberAssignment.decode(bytes)?.assignment[topic]?.includes(PARTITION) ?? false

type Session = { cluster: KafkaCluster; destroy(): void }

/** The coordinator of the group, found anew on a connection of its own after every failure. */
const createCalls = ({ config, groupId, logger, signal }: GroupOptions) => {
  let session: Session | undefined
  const drop = () => {
    session?.destroy()
    session = undefined
  }
  const open = async (): Promise<Session> => {
    const { cluster: create, destroy } = connectKafka(config, logger)
    const opened = { cluster: create(), destroy }
    session = opened
    await withDeadline(CONNECT_MS, signal, async () => {
      await opened.cluster.connect()
      await opened.cluster.refreshMetadata()
    })
    return opened
  }
  const call = async <T>(
    timeoutMs: number,
    use: (coordinator: Coordinator) => Promise<T>,
  ): Promise<T> => {
    try {
      const { cluster } = session ?? (await open())
      return await withDeadline(timeoutMs, signal, async () => {
        const found: unknown = await cluster.findGroupCoordinator({ groupId })
        return await use(found as Coordinator)
      })
    } catch (error) {
      if (isOut(error) || isRebalancing(error)) throw error
      drop()
      throw logError(error, `take part in group ${groupId}`)
    }
  }
  return { call, drop }
}

export const createGroupMember = (options: GroupOptions): GroupMember => {
  const { groupId, topic } = options
  const { call, drop } = createCalls(options)
  let member: Generation = { groupId, memberId: '', generationId: -1 }
  let confirmedMs = performance.now()

  const confirmed = async <T>(timeoutMs: number, use: (to: Coordinator) => Promise<T>) => {
    const sentMs = performance.now()
    const answer = await call(timeoutMs, use)
    confirmedMs = sentMs
    return answer
  }
  const joinOnce = async (leads: boolean): Promise<Membership> => {
    const metadata = MemberMetadata.encode({
      version: VERSION,
      topics: [topic],
      userData: Buffer.from(leads ? 'leads' : ''),
    })
    const joined = await confirmed(JOIN_MS, (coordinator) =>
      coordinator.joinGroup({
        ...{ groupId, memberId: member.memberId },
        ...{ sessionTimeout: SESSION_MS, rebalanceTimeout: REBALANCE_MS },
        groupProtocols: [{ name: PROTOCOL, metadata }],
      }),
    )
    const { memberId, generationId } = joined
    member = { groupId, memberId, generationId }
    const groupAssignment = joined.leaderId === memberId ? assignmentsOf(joined, topic) : []
    const { memberAssignment } = await confirmed(JOIN_MS, (coordinator) =>
      coordinator.syncGroup({ ...member, groupAssignment }),
    )
    return isAssigned(memberAssignment, topic) ? 'owner' : 'other'
  }
  const join = async (leads: boolean): Promise<Membership> => {
    for (;;) {
      options.signal.throwIfAborted()
      try {
        return await joinOnce(leads)
      } catch (error) {
        if (isRebalancing(error)) continue
        if (!isOut(error)) throw error
        member = { ...member, memberId: '' }
        if (leads) return 'expelled'
      }
    }
  }
  return {
    join,
    confirmedMs: () => confirmedMs,
    heartbeat: async () => {
      const { memberId, generationId: groupGenerationId } = member
      const sentMs = performance.now()
      try {
        await call(CALL_MS, (to) => to.heartbeat({ groupId, memberId, groupGenerationId }))
        confirmedMs = sentMs
        return 'stable'
      } catch (error) {
        if (isOut(error)) return 'expelled'
        if (!isRebalancing(error)) throw error
        confirmedMs = sentMs
        return 'rebalancing'
      }
    },
    leave: async () => {
      const { memberId } = member
      try {
        if (memberId !== '') await call(CALL_MS, (to) => to.leaveGroup({ groupId, memberId }))
      } finally {
        drop()
      }
    },
  }
}
