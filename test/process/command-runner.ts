import type { runCommandLine } from '../../src/cli/program.ts';

// Runs commands as they arrive, one after the other, as `src/main.ts` does. The argument says where to load them from.

export interface Commands {
  commands: { args: string[]; env: Record<string, string> }[];
  cwd: string;
}

/** The result of a finished command. */
export interface Result {
  code: number | null;
  stdout: string;
  stderr: string;
}

const program = (await import(process.argv[2]!)) as { runCommandLine: typeof runCommandLine };
process.umask(0o077);

async function run(args: string[], env: Record<string, string>): Promise<Result> {
  const result: Result = { code: null, stdout: '', stderr: '' };
  const streams = ['stdout', 'stderr'] as const;
  const kept = streams.map((name) => process[name].write);
  for (const name of streams) {
    process[name].write = (text: string | Uint8Array) => {
      result[name] += String(text);
      return true;
    };
  }
  Object.assign(process.env, env);
  result.code = await program.runCommandLine(args);
  for (const name of Object.keys(env)) delete process.env[name];
  for (const [i, name] of streams.entries()) process[name].write = kept[i]!;
  return result;
}

async function runAll({ commands, cwd }: Commands): Promise<void> {
  process.chdir(cwd);
  const results: Result[] = [];
  for (const { args, env } of commands) results.push(await run(args, env));
  process.send!(results);
}

process.on('message', (commands: Commands) => void runAll(commands));
