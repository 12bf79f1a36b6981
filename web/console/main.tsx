import { render } from 'preact';
import { affiliateWords } from '../../src/web-contract/affiliate-words.ts';
import { ErrorBoundary } from '../frame/error-boundary.tsx';
import { loadSession } from '../session.ts';
import { ErrorState } from '../ui/error-state.tsx';
import words from './words.ts';
import { useWords } from '../words.ts';
import { Console } from './console.tsx';

const root = document.getElementById('app')!;
const word = affiliateWords.find((known) => known === root.dataset['affiliateWord']) ?? 'affiliate';
useWords('en', words, { affiliateWord: word });

async function start(): Promise<void> {
  try {
    const session = await loadSession();
    if (!session) return;
    if (session.me.is_admin)
      render(
        <ErrorBoundary>
          <Console />
        </ErrorBoundary>,
        root,
      );
    else location.replace('/app');
  } catch (error) {
    render(
      <main>
        <ErrorState error={error} retry={() => void start()} />
      </main>,
      root,
    );
  }
}

await start();
