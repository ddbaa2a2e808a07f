// The port for what only one kind of log can say of its own health, such as Kafka of its topic and brokers.
import type { Finding } from '../doctor/finding.ts'

/** Reads only. What goes wrong is a finding, or is thrown and becomes one. */
export type LogDiagnosis = (signal: AbortSignal) => Promise<readonly Finding[]>
