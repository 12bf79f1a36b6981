import { runCommandLine } from './cli/program.ts';

// What this process writes is for its owner alone: the database holds people's addresses.
process.umask(0o077);
// `./tributary openapi | head`: a reader that has left is no failure, and must never stop a server.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
process.exitCode = await runCommandLine(process.argv.slice(2));
