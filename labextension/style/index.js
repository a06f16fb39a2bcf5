import "../src/core/style.css";
import "./panel.css";
import "./saved.css";
