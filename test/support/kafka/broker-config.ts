// The configuration of one local broker: a small combined broker and controller on loopback, with one listener for clients.

export type BrokerPorts = {
  id: number
  plain: number
  controller: number
}

/** The text of `server.properties`. */
export const serverProperties = (
  own: BrokerPorts,
  all: readonly BrokerPorts[],
  directory: string,
): string => {
  const replicas = String(all.length)
  const address = `PLAINTEXT://127.0.0.1:${own.plain}`
  const settings: Record<string, string> = {
    'process.roles': 'broker,controller',
    'node.id': String(own.id),
    'controller.quorum.voters': all
      .map(({ id, controller }) => `${id}@127.0.0.1:${controller}`)
      .join(','),
    'controller.listener.names': 'CONTROLLER',
    listeners: `${address},CONTROLLER://127.0.0.1:${own.controller}`,
    'advertised.listeners': address,
    'inter.broker.listener.name': 'PLAINTEXT',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
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
