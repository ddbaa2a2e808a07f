// The JSON report of vitest with the full time of each file, including hooks and imports.
import { JsonReporter, type TestModule } from 'vitest/node'

const sumDurations = (module: TestModule): number => {
  const { prepareDuration, environmentSetupDuration, setupDuration, collectDuration, duration } =
    module.diagnostic()
  return prepareDuration + environmentSetupDuration + setupDuration + collectDuration + duration
}

class TimedJsonReporter extends JsonReporter {
  private fileMs: Record<string, number> = {}

  override onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    this.fileMs = Object.fromEntries(
      modules.map((module) => [module.relativeModuleId, Math.round(sumDurations(module))]),
    )
    return super.onTestRunEnd(modules)
  }

  override writeReport(report: string): Promise<void> {
    return super.writeReport(JSON.stringify({ ...JSON.parse(report), fileMs: this.fileMs }))
  }
}

// biome-ignore lint/style/noDefaultExport: vitest loads a reporter by it
export default TimedJsonReporter
