import { createServer } from 'node:http';
import { verifyWebhook, WebhookError } from 'tributary-client';

// The new secret and, while it is being changed, the old one.
const secrets = process.env.WEBHOOK_SECRETS.split(' ');

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    const message = await verifyWebhook(Buffer.concat(chunks), request.headers, secrets);
    console.log(`${message.type} ${message.id}`);
    response.writeHead(204).end();
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    response.writeHead(400).end();
  }
});
server.listen(process.env.PORT, () => console.log(`Listening on ${server.address().port}`));
