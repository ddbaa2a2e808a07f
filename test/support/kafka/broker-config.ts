// The configuration of one local broker: a small combined broker and controller on loopback, with all listeners for tests.

export type BrokerPorts = {
  id: number
  plain: number
  secure: number
  controller: number
}

export type Keystore = { file: string; password: string }

/** The user of the secure listener: over TLS, by PLAIN or SCRAM. */
export const SASL_USER = { username: 'rollcall', password: 'only-for-tests' } as const

const secureSettings = ({ file, password }: Keystore): Record<string, string> => {
  const scram = 'org.apache.kafka.common.security.scram.ScramLoginModule required;'
  const plain = `org.apache.kafka.common.security.plain.PlainLoginModule required user_${SASL_USER.username}="${SASL_USER.password}";`
  const settings = {
    'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
    'plain.sasl.jaas.config': plain,
    'scram-sha-256.sasl.jaas.config': scram,
    'scram-sha-512.sasl.jaas.config': scram,
    'ssl.keystore.type': 'PKCS12',
    'ssl.keystore.location': file,
    'ssl.keystore.password': password,
  }
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`listener.name.secure.${name}`, value]),
  )
}

type Cluster = { all: readonly BrokerPorts[]; keystore: Keystore | undefined }

/** The text of `server.properties`. */
export const serverProperties = (
  own: BrokerPorts,
  { all, keystore }: Cluster,
  directory: string,
): string => {
  const replicas = String(all.length)
  const secure = keystore ? `,SECURE://127.0.0.1:${own.secure}` : ''
  const addresses = `PLAINTEXT://127.0.0.1:${own.plain}${secure}`
  const settings: Record<string, string> = {
    'process.roles': 'broker,controller',
    'node.id': String(own.id),
    'controller.quorum.voters': all
      .map(({ id, controller }) => `${id}@127.0.0.1:${controller}`)
      .join(','),
    'controller.listener.names': 'CONTROLLER',
    listeners: `${addresses},CONTROLLER://127.0.0.1:${own.controller}`,
    'advertised.listeners': addresses,
    'inter.broker.listener.name': 'PLAINTEXT',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SECURE:SASL_SSL',
    ...(keystore ? secureSettings(keystore) : {}),
    'log.dirs': directory,
    'broker.session.timeout.ms': '6000',
    'group.initial.rebalance.delay.ms': '0',
    'offsets.topic.num.partitions': '4',
    'offsets.topic.replication.factor': replicas,
    'transaction.state.log.num.partitions': '4',
    'transaction.state.log.replication.factor': replicas,
    'transaction.state.log.min.isr': String(Math.max(1, all.length - 1)),
    'num.network.threads': '2',
    'num.io.threads': '4',
    'log.cleaner.dedupe.buffer.size': String(4 * 2 ** 20),
  }
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}

/** Kafka logs to one file, so that an error message can quote the reason of a failure. */
export const loggingConfig = (file: string): string => `<Configuration>
  <Appenders>
    <File name="file" fileName="${file}"><PatternLayout pattern="%d %p %c{1} %m%n"/></File>
  </Appenders>
  <Loggers>
    <Root level="warn"><AppenderRef ref="file"/></Root>
  </Loggers>
</Configuration>
`
