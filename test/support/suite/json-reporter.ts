// The JSON report of vitest with the full time of each file, including hooks and imports. It also has the errors of hooks in
// suites, which the original omits.
import { JsonReporter, type TestModule } from 'vitest/node'

const sumDurations = (module: TestModule): number => {
  const { prepareDuration, environmentSetupDuration, setupDuration, collectDuration, duration } =
    module.diagnostic()
  return prepareDuration + environmentSetupDuration + setupDuration + collectDuration + duration
}

const readHookErrors = (module: TestModule): string[] =>
  [...module.children.allSuites()].flatMap((suite) => suite.errors().map(({ message }) => message))

class CompleteJsonReporter extends JsonReporter {
  private fileMs: Record<string, number> = {}
  private hookErrors: Record<string, string[]> = {}

  override onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    this.fileMs = Object.fromEntries(
      modules.map((module) => [module.relativeModuleId, Math.round(sumDurations(module))]),
    )
    this.hookErrors = Object.fromEntries(
      modules.map((module) => [module.moduleId, readHookErrors(module)]),
    )
    return super.onTestRunEnd(modules)
  }

  override writeReport(report: string): Promise<void> {
    return super.writeReport(
      JSON.stringify({ ...JSON.parse(report), fileMs: this.fileMs, hookErrors: this.hookErrors }),
    )
  }
}

// biome-ignore lint/style/noDefaultExport: vitest loads a reporter by it
export default CompleteJsonReporter
