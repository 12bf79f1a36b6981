import { createServer } from 'node:http';

/**
 * A bare node:http server that sends fixed bytes, headers included, which the parent process gives
 * it. It is the upper bound for any service.
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
