import { html, type Html } from '../../shared/html.ts';
import { resolved, type Document } from './reference-document.ts';
import { coloured, exampleOf } from './reference-example.ts';
import { fieldList, parameterList, prose } from './reference-fields.ts';
import { codeBox, type OperationView } from './reference-operation.ts';

/** Describes webhook deliveries, followed by the data of each event. */
export function renderWebhooks(document: Document, view: OperationView): Html | undefined {
  const webhooks = Object.entries(document.webhooks ?? {});
  const [[, first] = ['', undefined]] = webhooks;
  if (!first) return undefined;
  const sent = { ...view, isAnswer: true };
  return html`<section id="webhooks">
    <h2>Events and webhooks</h2>
    <div class="text">
      <p>${prose(first.post.description)}</p>
      ${
        document.paths['/events']?.['get'] &&
        html`<p>
          The change feed, <a href="#get_events"><code>GET /events</code></a
          >, contains the same events with the same <code>id</code> and <code>data</code>.
        </p>`
      }
      <h3>Headers of a delivery</h3>
      ${parameterList(first.post.parameters, sent)}
    </div>
    <h3>Events</h3>
    ${webhooks.map(([name, { post }]) => {
      const content = post.requestBody?.content['application/json'];
      if (!content) return undefined;
      const data = resolved(content.schema, document).properties?.['data'] ?? {};
      return html`<details class="event">
        <summary><code>${name}</code> <span>${prose(post.summary)}</span></summary>
        <div class="pair" id="event-${name}">
          <div class="text">${fieldList(data, sent)}</div>
          <div class="example">
            ${codeBox('Body', coloured(exampleOf(content, document)), `Body of ${name}`)}
          </div>
        </div>
      </details>`;
    })}
  </section>`;
}
