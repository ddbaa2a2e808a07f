// Tests of the Kubernetes manifests: two replicas of everything, minimal permissions and existing settings.
import { describe, expect, it } from 'vitest'
import { type Manifest, readEnvFile, readManifests } from '../../../support/source/deploy-files.ts'
import { settingNames } from '../../../support/source/setting-names.ts'

type Source = { configMapKeyRef?: { key: string }; secretKeyRef?: { key: string } }
type Container = {
  env: { name: string; value?: string; valueFrom?: Source }[]
  args: string[]
  securityContext: Record<string, unknown>
  resources: { limits?: object; requests?: object }
} & Record<'startupProbe' | 'livenessProbe' | 'readinessProbe', { httpGet: { path: string } }>
type Pod = { securityContext: Record<string, unknown>; containers: Container[] }

const manifests = readManifests()
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind)
const readPod = ({ spec }: Manifest) => (spec as { template: { spec: Pod } }).template.spec
const deployments = ofKind('Deployment').map(
  (manifest) => [manifest.metadata.name, readPod(manifest)] as const,
)

describe('the manifests', () => {
  it('have a deployment of each service, and a disruption budget that keeps one replica', () => {
    const names = ['api', 'auth', 'ingest', 'projections']
    expect(deployments.map(([name]) => name).sort()).toEqual(names)
    const budgets = ofKind('PodDisruptionBudget').map(({ metadata }) => metadata.name)
    expect(budgets.sort()).toEqual(names)
    for (const kind of ['Ingress', 'HorizontalPodAutoscaler', 'NetworkPolicy', 'ConfigMap']) {
      expect(ofKind(kind), kind).not.toEqual([])
    }
    expect(ofKind('Secret')).toEqual([])
  })

  it.each(deployments)('%s has only the permissions that it needs', (name, pod) => {
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    const [container] = pod.containers
    expect(container?.args).toEqual([name])
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  })

  it.each(deployments)('%s has liveness and readiness probes, and limits', (_, pod) => {
    const [container] = pod.containers
    expect(container?.startupProbe.httpGet.path).toBe('/livez')
    expect(container?.livenessProbe.httpGet.path).toBe('/livez')
    expect(container?.readinessProbe.httpGet.path).toBe('/readyz')
    expect(container?.resources.limits).toBeDefined()
    expect(container?.resources.requests).toBeDefined()
  })

  it.each(deployments)('%s gets only settings that exist, from existing sources', (_, pod) => {
    const env = pod.containers[0]?.env ?? []
    const settings = ofKind('ConfigMap')[0]?.data ?? {}
    const secrets = readEnvFile('kubernetes/secret.env.example')
    expect(env.length).toBeGreaterThan(5)
    for (const { name, valueFrom } of env) {
      expect(settingNames().has(name), name).toBe(true)
      const key = valueFrom?.configMapKeyRef?.key
      if (key !== undefined) expect(settings, name).toHaveProperty(key)
      const secret = valueFrom?.secretKeyRef?.key
      if (secret !== undefined) expect(secrets.get(secret), name).toBe('')
      expect(/PASSWORD|KEYS/.test(name)).toBe(
        secret !== undefined && secret !== 'KAFKA_SASL_USERNAME',
      )
    }
  })
})
