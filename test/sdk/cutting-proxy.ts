import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { after } from 'node:test';

/** A connection between client and service that can break. */
export interface CuttingProxy {
  url: string;
  /** Breaks this many of the next responses before their first byte reaches the client. */
  cut(responses: number): void;
}

/** Passes requests on to a service; the service has processed a request whose response is cut. */
export async function startCuttingProxy(serviceUrl: string): Promise<CuttingProxy> {
  const { port } = new URL(serviceUrl);
  const sockets = new Set<Socket>();
  let cuts = 0;
  const server = createServer((client) => {
    const service = connect(Number(port), '127.0.0.1');
    for (const socket of [client, service]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        service.destroy();
        sockets.delete(socket);
      });
    }
    client.on('data', (bytes) => service.write(bytes));
    service.on('data', (bytes) => {
      if (cuts > 0) {
        cuts -= 1;
        client.destroy();
      } else client.write(bytes);
    });
  });
  after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: (responses) => {
      cuts = responses;
    },
  };
}
