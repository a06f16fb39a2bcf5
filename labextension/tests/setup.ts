// Events made by tests are not trusted, like those of scripts. Here they count as a person's, unless a test changes that.

import { vi } from "vitest";

vi.mock("../src/core/decision-input", async (original) => ({ ...(await original<typeof import("../src/core/decision-input")>()), byPerson: vi.fn(() => true) }));
