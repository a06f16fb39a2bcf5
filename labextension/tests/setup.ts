// Events that tests make are not trusted, as a script's are not. Here they stand for a person's, unless a test changes that.

import { vi } from "vitest";

vi.mock("../src/core/decision-input", async (original) => ({ ...(await original<typeof import("../src/core/decision-input")>()), byPerson: vi.fn(() => true) }));
