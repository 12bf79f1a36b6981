import { TrustedProxies } from '../http/connections/trusted-proxies.ts';
import type { HttpServer } from '../http/server.ts';
import { ConfigError, type Config } from './config.ts';

/** Throws ConfigError if the port or the address is not available. */
export async function listenOn(server: HttpServer, config: Config): Promise<void> {
  try {
    await server.fastify.listen({ host: config.host, port: config.port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new ConfigError(
        `Port ${config.port} is in use. Choose another with --port or TRIBUTARY_PORT.`,
      );
    }
    if (code === 'EACCES') {
      throw new ConfigError(
        `This user may not listen on port ${config.port}. Choose one from 1024 on with --port.`,
      );
    }
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new ConfigError(`This machine has no address ${config.host}: see --host.`);
    }
    throw error;
  }
}

export function readProxies(config: Config): TrustedProxies {
  try {
    return new TrustedProxies(config.trustedProxies);
  } catch (error) {
    throw new ConfigError(`TRIBUTARY_TRUSTED_PROXIES: ${(error as Error).message}.`);
  }
}
