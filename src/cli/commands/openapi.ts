import { Option, type Command } from 'commander';
import type { OpenApiFlags } from '../openapi.ts';

export function addOpenApi(program: Command): Command {
  return program
    .command('openapi')
    .description('print the OpenAPI document, as served by GET /openapi')
    .addOption(new Option('--api <name>', 'which one').choices(['v2', 'store']).default('v2'))
    .addHelpText('after', '\nExample:\n  ./tributary openapi --api store > openapi.json')
    .action(async (flags: OpenApiFlags) => (await import('../openapi.ts')).printOpenApi(flags));
}
