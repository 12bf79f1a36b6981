import { runCommandLine } from './cli/program.ts';

// What this process writes is for its owner alone: the database holds people's addresses.
process.umask(0o077);
process.exitCode = await runCommandLine(process.argv.slice(2));
