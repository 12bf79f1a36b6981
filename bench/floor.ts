import { createServer } from 'node:http';

/**
 * The floor: a bare node:http server that answers the same bytes, headers included, without
 * knowing why. The bytes come from the parent process.
 */
process.on(
  'message',
  ({ status, headers, body }: { status: number; headers: string[]; body: string }) => {
    const server = createServer((_request, response) => {
      response.sendDate = true;
      response.writeHead(status, headers);
      response.end(body);
    });
    server.keepAliveTimeout = 72_000;
    server.listen(0, '127.0.0.1', () => {
      process.send!({ port: (server.address() as { port: number }).port });
    });
  },
);
