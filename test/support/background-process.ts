import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { collect, ended, launch, inTheEnd } from '../process/launch.ts';
import { eventually } from './eventually.ts';

/** A command that runs until it is stopped. */
export class BackgroundProcess {
  readonly child: ChildProcess;
  readonly output: { stdout: string; stderr: string };

  private constructor(child: ChildProcess) {
    this.child = child;
    this.output = collect(child);
  }

  static async start(args: string[]): Promise<BackgroundProcess> {
    return new BackgroundProcess(await launch(args));
  }

  /** Waits until the output matches. */
  says(words: RegExp): Promise<RegExpExecArray> {
    return eventually(() => {
      const { stdout, stderr } = this.output;
      assert.equal(this.child.exitCode, null, stderr);
      return words.exec(stdout) ?? assert.fail(`${stdout}${stderr}`);
    });
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM') {
    const end = ended(this.child);
    this.child.kill(signal);
    return inTheEnd(end, `stopping by ${signal}`);
  }
}
