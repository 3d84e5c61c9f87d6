/// The status page's script and style sheet, as separate files, so that the page's content security
/// policy can forbid inline code.
enum StatusAssets {
    /// Replaces the page's content by the newest once a second.
    static let script = """
        "use strict";
        async function refresh() {
          if (!document.hidden) {
            try {
              const answer = await fetch(".", { cache: "no-store" });
              const page = new DOMParser().parseFromString(await answer.text(), "text/html");
              const fresh = page.querySelector("main");
              const shown = document.querySelector("main");
              if (fresh.innerHTML !== shown.innerHTML) shown.replaceWith(document.adoptNode(fresh));
              document.body.classList.remove("stale");
            } catch {
              document.body.classList.add("stale");
            }
          }
          setTimeout(refresh, 1000);
        }
        setTimeout(refresh, 1000);

        """

    /// The style sheet, for light and dark mode.
    static let style = """
        :root {
          color-scheme: light dark;
          --ink: #1c2430; --soft: #66707f; --paper: #f4f5f7; --card: #ffffff; --line: #dfe3e8;
          --empty: #e6e9ee; --cached: #1f9d72;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --ink: #e6e9ee; --soft: #98a2b1; --paper: #12161c; --card: #1a2029; --line: #2a323e;
            --empty: #2a323e; --cached: #34c796;
          }
        }
        * { box-sizing: border-box; }
        body {
          margin: 0; padding: 2rem 1rem; background: var(--paper); color: var(--ink);
          font: 15px/1.5 system-ui, sans-serif;
        }
        main { max-width: 54rem; margin: 0 auto; }
        header { display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: baseline; }
        h1 { margin: 0; font-size: 1.4rem; flex: 1; white-space: nowrap; }
        p { margin: 0; color: var(--soft); font-variant-numeric: tabular-nums; }
        article {
          margin-top: 1rem; padding: 1rem 1.25rem; background: var(--card);
          border: 1px solid var(--line); border-radius: 10px;
        }
        h2 { margin: 0; font-size: 1rem; font-weight: 600; overflow-wrap: anywhere; }
        a { color: inherit; text-decoration: none; }
        a:hover { text-decoration: underline; }
        svg {
          display: block; width: 100%; height: 18px; margin: 0.6rem 0; border-radius: 4px;
          background: var(--empty);
        }
        rect { fill: var(--cached); }
        .empty { margin-top: 1rem; }
        #stale { display: none; max-width: 54rem; margin: 1rem auto; color: #c2410c; }
        .stale #stale { display: block; }
        .stale main { opacity: 0.5; }

        """
}
