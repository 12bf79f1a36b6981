import { Link, Route, Switch } from 'wouter-preact';
import { t } from '../words.ts';
import '../ui/base.css';

/** The frame of the portal: navigation and the current screen. */
export function Portal() {
  return (
    <>
      <nav>
        <Link href="/app">{t('portal.nav.home')}</Link>{' '}
        <Link href="/app/links">{t('portal.nav.links')}</Link>{' '}
        <Link href="/app/orders">{t('portal.nav.orders')}</Link>{' '}
        <Link href="/app/money">{t('portal.nav.money')}</Link>{' '}
        <Link href="/app/payout-details">{t('portal.nav.payoutDetails')}</Link>{' '}
        <Link href="/app/profile">{t('portal.nav.profile')}</Link>
      </nav>
      <main id="content">
        <Switch>
          <Route path="/app">
            <h1>{t('portal.nav.home')}</h1>
          </Route>
        </Switch>
      </main>
    </>
  );
}
