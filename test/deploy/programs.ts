import type { TestContext } from 'node:test';
import { findProgram, type Program, type WantedProgram } from '../debian-packages.ts';

export const nginx: WantedProgram = {
  names: ['nginx'],
  debianPackage: 'nginx',
  pathInPackage: 'sbin/nginx',
};

export const promtool: WantedProgram = {
  names: ['promtool'],
  debianPackage: 'prometheus',
  pathInPackage: 'bin/promtool',
};

export const prometheus: WantedProgram = {
  names: ['prometheus'],
  debianPackage: 'prometheus',
  pathInPackage: 'bin/prometheus',
};

export const systemdAnalyze: WantedProgram = {
  names: ['systemd-analyze'],
  debianPackage: 'systemd',
  pathInPackage: 'bin/systemd-analyze',
};

/** The program, or the test is reported as skipped with the reason. */
export function programFor(t: TestContext, wanted: WantedProgram): Program | undefined {
  try {
    return findProgram(wanted);
  } catch (error) {
    t.skip(`NOT TESTED without ${wanted.names[0]}: ${(error as Error).message}`);
    return undefined;
  }
}
