import "../src/style.css";
import "./panel.css";
import "./saved.css";
