/** The screen of the add-on in the console. The console makes it from its own parts, so it looks and behaves as they do. */

const TIPS = '/svc/store/v1/tips';

const texts = {
  en: {
    title: 'Tips',
    write: 'Write a tip',
    to: 'Number of the {affiliate}',
    note: 'Tip',
    written: 'The tip was written.',
    'stored.one': '{count} tip',
    'stored.other': '{count} tips',
    emptyTitle: 'No tips yet',
    emptyText: 'Write the first one beside.',
  },
  de: {
    title: 'Tipps',
    write: 'Tipp schreiben',
    to: 'Nummer: {affiliate}',
    note: 'Tipp',
    written: 'Der Tipp wurde geschrieben.',
    'stored.one': '{count} Tipp',
    'stored.other': '{count} Tipps',
    emptyTitle: 'Noch keine Tipps',
    emptyText: 'Schreiben Sie den ersten.',
  },
};

/** @param {import('tributary-affiliates/extension').ConsoleKit} kit */
export default function makeScreen(kit) {
  const { h, ui } = kit;
  const t = kit.words(texts);
  const columns = [
    { key: 'note', label: t('note'), phone: 'title', cell: ({ note }) => note },
    {
      key: 'user',
      label: t('to'),
      isNumber: true,
      phone: 'aside',
      cell: ({ user_id: id }) => h(ui.Link, { href: `/console/affiliates/${id}` }, id),
    },
  ];

  async function write({ user_id, note }, options) {
    await kit.request('POST', TIPS, { user_id: Number(user_id), note }, options);
    await kit.refresh();
  }

  function TipList() {
    const { data, error, retry } = kit.useData({}, () => kit.request('GET', TIPS));
    if (!data) return h(ui.Pending, { error, retry, lines: 4 });
    if (data.length === 0) {
      return h(ui.EmptyState, { title: t('emptyTitle') }, t('emptyText'));
    }
    return h(ui.DataTable, { caption: t('title'), columns, rows: data, keyOf: ({ id }) => id });
  }

  return function Tips() {
    return h(
      ui.Screen,
      { title: t('title') },
      h(ui.Card, {}, h(TipList)),
      h(
        ui.Card,
        { title: t('write') },
        h(
          ui.Form,
          {
            action: t('write'),
            submit: write,
            done: t('written'),
            clears: true,
            showsReasons: true,
          },
          h(ui.Field, { name: 'user_id', label: t('to'), required: true, inputMode: 'numeric' }),
          h(ui.AreaField, { name: 'note', label: t('note'), required: true, maxLength: 500 }),
        ),
      ),
    );
  };
}
