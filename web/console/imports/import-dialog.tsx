import { useState } from 'preact/hooks';
import type { Import } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { refresh } from '../../data.ts';
import { formatDate, formatMoney } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { formatNumber, hasWord, t } from '../../words.ts';

interface ImportDialogProps {
  imported: Import;
  onClose(): void;
}

/** One import: what it brought, and the way back. */
export function ImportDialog({ imported, onClose }: ImportDialogProps) {
  const { id, system, state, reason, run_by: user, currency, kept } = imported;
  const isOpen = state !== 'undone' && (state !== 'undoing' || reason !== '');
  return (
    <Dialog
      title={t('console-imports.title', { id, system: sourceName(system) })}
      onClose={onClose}
    >
      <Facts
        facts={[
          { name: t('console-imports.state'), value: t(`console-imports.state.${state}`) },
          { name: t('console-imports.files'), value: imported.files.join(', ') },
          {
            name: t('console-imports.by'),
            value: user === '' ? t('console-imports.byUnknown') : user,
          },
          { name: t('console-imports.date'), value: formatDate(imported.date, 'exact') },
          imported.date_ended !== null && {
            name: t('console-imports.ended'),
            value: formatDate(imported.date_ended, 'exact'),
          },
          { name: t('console-imports.affiliates'), value: formatNumber(imported.affiliates) },
          { name: t('console-imports.coupons'), value: formatNumber(imported.coupons) },
          { name: t('console-imports.balance'), value: formatMoney(imported.balance, currency) },
          {
            name: t('console-imports.records'),
            value:
              system === 'orders'
                ? t('console-imports.orders', { count: imported.records })
                : t('console-imports.records', { count: imported.records }),
          },
          imported.rules > 0 && {
            name: t('console-imports.rulesMade'),
            value: formatNumber(imported.rules),
          },
        ]}
      />
      {state === 'running' && <Notice kind="warn">{t('console-imports.running')}</Notice>}
      {state === 'undoing' && (
        <Notice kind={reason === '' ? 'info' : 'warn'}>
          {reason || t('console-imports.undoing')}
        </Notice>
      )}
      {kept > 0 && (
        <Notice kind="info">
          {system === 'orders'
            ? t('console-imports.keptOrders', { count: kept })
            : t('console-imports.kept', { count: kept })}
        </Notice>
      )}
      {isOpen && <UndoForm imported={imported} />}
    </Dialog>
  );
}

/** As people know it. */
export function sourceName(system: string): string {
  const key = `console-imports.source.${system}`;
  return hasWord(key) ? t(key) : system;
}

/** Asks before anything is removed. */
function UndoForm({ imported: { id, system } }: { imported: Import }) {
  const [isAsked, setIsAsked] = useState(false);
  if (!isAsked) {
    return (
      <div class="dialog-actions">
        <Button kind="quiet" onClick={() => setIsAsked(true)}>
          {t('console-imports.undo')}
        </Button>
      </div>
    );
  }
  return (
    <Form
      kind="danger"
      action={t('console-imports.undoNow')}
      showsReasons
      submit={async (_values, options) => {
        await api.imports.undo(id, options);
        await refresh('imports', 'affiliates', 'coupons', 'orders', 'overview');
      }}
    >
      <p>{t(system === 'orders' ? 'console-imports.undoOrders' : 'console-imports.undoText')}</p>
    </Form>
  );
}
