import Type from 'typebox';
import { operation } from '../../kernel/declare/operation.ts';
import { guideReaders } from '../../web-contract/guides.ts';
import { renderPage, renderPageOnce } from '../web/index.ts';
import { guidePages } from './guide-pages.ts';
import { searchGuides } from './search-guides.ts';

export const showHelp = operation({
  method: 'GET',
  namespace: 'site',
  path: '/help',
  summary: 'Show the guides, or search them',
  access: 'public',
  scope: null,
  query: Type.Object({ q: Type.String({ maxLength: 200, default: '' }) }),
  response: Type.String(),
  handle({ site, request }, { q }) {
    const query = q.trim();
    if (query === '') return renderPageOnce(site, request, 'help', listed);
    const hits = searchGuides(guidePages().values(), query);
    return renderPage(site, request, 'help-search', { query, hits });
  },
});

function listed() {
  const all = [...guidePages().values()];
  const readers = guideReaders.map((reader) => ({
    reader,
    guides: all
      .filter((guide) => guide.reader === reader)
      .map(({ name, title, about }) => ({ name, title, about })),
  }));
  return { readers };
}
