// A member of a consumer group with one virtual partition: its owner leads. The member has no topic and fetches nothing.
// The assigner assigns the partition, and an event reports it to its owner.
import { systemClock } from '../runtime/clock.ts'
import type { Logger } from '../runtime/logger.ts'
import { withDeadline } from '../runtime/retry.ts'
import {
  connectKafka,
  MemberAssignment,
  MemberMetadata,
  type PartitionAssigner,
} from './kafka-client.ts'
import type { KafkaConfig } from './kafka-settings.ts'

export type Membership = {
  /** Fires once this process owns the partition. */
  owned: AbortSignal
  /** Fires with the reason if this process may no longer own the partition, or cannot be a member. */
  lost: AbortSignal
  leave(): Promise<void>
}

export type GroupOptions = { config: KafkaConfig; groupId: string; topic: string; logger: Logger }

/** The minimum that brokers allow by default. A member without a heartbeat for this time is removed. */
const SESSION_MS = 6_000
/** Shorter than the session and measured from the time of the request, so it ends before the session in the group. */
const LEASE_MS = SESSION_MS - 1_000
const REBALANCE_MS = 10_000
const HEARTBEAT_MS = 500
/** Interval at which the library checks whether a heartbeat is due. */
const IDLE_MS = 200
const REQUEST_MS = 3_000
const LEAVE_MS = 2_000
/** Retries for longer than a lease. */
const RETRY = { initialRetryTime: 100, maxRetryTime: 500, retries: 20 }
const PARTITION = 0
/** The group refuses a member with another protocol for claims. */
const PROTOCOL = 'rollcall-leader-2'
const VERSION = 1
const CONFIRMING = new Set(['JoinGroup', 'SyncGroup', 'Heartbeat'])

/** The current leader stays the leader, so that a new member does not interrupt it. Pure. */
export const chooseOwner = (members: readonly { memberId: string; leads: boolean }[]): string => {
  const sorted = [...members].sort((a, b) => (a.memberId < b.memberId ? -1 : 1))
  return (sorted.find(({ leads }) => leads) ?? sorted[0])?.memberId ?? ''
}

type Claim = { memberId: string; memberMetadata: Buffer }

/** `ownedAs`: the member id under which this process owns the partition, or empty. */
export const encodeClaim = (topic: string, ownedAs: string): Buffer =>
  MemberMetadata.encode({ version: VERSION, topics: [topic], userData: Buffer.from(ownedAs) })

/** A member that was removed and joins again has another ID, so its former claim is invalid. Pure. */
export const readClaim = ({ memberId, memberMetadata }: Claim) => {
  const ownedAs = MemberMetadata.decode(memberMetadata)?.userData.toString()
  return { memberId, leads: ownedAs === memberId }
}

const encodeAssignment = (topic: string, isOwner: boolean): Buffer => {
  const assignment: Record<string, number[]> = isOwner ? { [topic]: [PARTITION] } : {}
  return MemberAssignment.encode({ version: VERSION, assignment, userData: Buffer.alloc(0) })
}

const createAssigner =
  (topic: string, ownedAs: () => string): PartitionAssigner =>
  () => ({
    name: PROTOCOL,
    version: VERSION,
    protocol: () => ({ name: PROTOCOL, metadata: encodeClaim(topic, ownedAs()) }),
    assign: async ({ members }) => {
      const owner = chooseOwner(members.map(readClaim))
      return members.map(({ memberId }) => {
        return { memberId, memberAssignment: encodeAssignment(topic, memberId === owner) }
      })
    },
  })

export const joinGroup = ({ config, groupId, topic, logger }: GroupOptions): Membership => {
  const { kafka, destroy } = connectKafka(config, logger, REQUEST_MS)
  const [owned, lost] = [new AbortController(), new AbortController()]
  let ownedAs = ''
  let isAssigned = false
  /** The time of the last request with which the group confirmed this member. */
  let confirmedMs = performance.now()
  let sentMs = confirmedMs
  const confirm = () => {
    confirmedMs = sentMs
  }
  const watchLease = async () => {
    while (!lost.signal.aborted) {
      const leftMs = confirmedMs + LEASE_MS - performance.now()
      if (leftMs <= 0) lost.abort('the group did not answer')
      await systemClock.sleep(leftMs, lost.signal).catch(() => {})
    }
  }
  const consumer = kafka.consumer({
    groupId,
    partitionAssigners: [createAssigner(topic, () => ownedAs)],
    sessionTimeout: SESSION_MS,
    rebalanceTimeout: REBALANCE_MS,
    heartbeatInterval: HEARTBEAT_MS,
    maxWaitTimeInMs: IDLE_MS,
    allowAutoTopicCreation: false,
    retry: { ...RETRY, restartOnFailure: async () => false },
  })
  const { REQUEST, HEARTBEAT, GROUP_JOIN, RECEIVED_UNSUBSCRIBED_TOPICS, CRASH } = consumer.events
  consumer.on(REQUEST, ({ payload: { apiName, duration } }) => {
    if (CONFIRMING.has(apiName)) sentMs = performance.now() - duration
  })
  consumer.on(HEARTBEAT, confirm)
  // This event always comes just before the event of the join.
  consumer.on(RECEIVED_UNSUBSCRIBED_TOPICS, ({ payload: { assignedTopics } }) => {
    isAssigned = assignedTopics.includes(topic)
  })
  consumer.on(GROUP_JOIN, ({ payload: { memberId } }) => {
    confirm()
    if (ownedAs === '' && isAssigned) {
      ownedAs = memberId
      void watchLease()
      owned.abort()
    } else if (ownedAs !== '' && !(isAssigned && memberId === ownedAs)) {
      lost.abort('the group assigned the partition to another member')
    }
    isAssigned = false
  })
  consumer.on(CRASH, ({ payload: { error } }) => lost.abort(String(error)))
  const run = async () => {
    await consumer.connect()
    await consumer.run({ autoCommit: false, eachBatch: async () => {} })
  }
  const running = run().catch((error: unknown) => lost.abort(String(error)))
  return {
    owned: owned.signal,
    lost: lost.signal,
    leave: async () => {
      const leaving = withDeadline(LEAVE_MS, undefined, async () => {
        await running
        await consumer.disconnect()
      })
      // A member that cannot leave the group is removed at the end of its session.
      await leaving.catch(() => {})
      lost.abort('left')
      destroy()
    },
  }
}
